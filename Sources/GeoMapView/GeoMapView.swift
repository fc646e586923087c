// A SwiftUI view of a map, for Apple's platforms.
// In: a `GeoMapViewModel`. Out: the map on the screen; all state is in the model.
// Start with `ImmersiveMapView`.
