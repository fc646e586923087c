// How any tree is read: in parallel, delivered in order, with a selection and sums.
// In: a `TreeSource` (the disk, or what GeoSources opens) and a `Selection`. Out: listings, given to a visitor
// folder by folder, in an order that the number of threads doesn't change.
// `Source/` is the seam that every source fills, `Disk/` the source of real folders, `Order/` the scan,
// `Select/` what is left out, `Sums/` sizes and counts.
// Start with `ScanVisitor.swift`, then `Order/OutputOrder.swift`.
