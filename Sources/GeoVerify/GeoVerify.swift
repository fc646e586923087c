// Whether a written map is right: a checker that computes everything again from the names in the file.
// In: the text of a map. Out: what breaks containment, ancestry, order or the definition.
// Start with `MapVerifier.swift`; `Geometry/` has the exact tests of rings and boxes.
