// What only some pages have, by scripts of their own that run before the main one.

/**
 * Each may have: `found(source)`, before anything is asked; `begin(page)`, called once all is put together; `summed()`, when more is known of folders;
 * `sections(node)`, elements for the panel; `entries`, how the panel lists what is in a folder: `orders` before the usual ones, and
 * `dress(child, item)`, which adds to what stands in the list of an entry; `keys`, acts by key; `element`, what lies over the map at the right;
 * and `isDark`, if it is made for the dark.
 */
export const extras = [];
