// The types of other modules that appear in this library's interface, so that clients import only
// GeoLogger. A check compares this list with the interface (Tests/Outside/check_library.py).

@_exported import struct GeoLive.GeoLocation
