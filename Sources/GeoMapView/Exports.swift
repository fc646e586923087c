// A client of this library imports nothing else: it offers the worlds and models that it shows.

@_exported import GeoMap
