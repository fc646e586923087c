// Stands in a published page before all else, and asks for the tiles of the first picture while the scripts are
// still on their way: all of a zoom lie side by side.
{
  const { archive, begin, roots } = JSON.parse(document.getElementById("world").textContent);
  // Which zoom they are of: as the address says, or as the camera has it that shows the whole world.
  const [west, south, east, north] = [Math.min, Math.min, Math.max, Math.max].map((of, i) => of(...roots.map(({ bbox }) => bbox[i])));
  const height = (lat) => Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  const part = innerWidth > 640 ? 0.7 : 0.88;
  const side = Math.max((east - west) / 360 / (innerWidth * part), (height(north) - height(south)) / (innerHeight * part));
  const least = Math.log2(Math.min(innerWidth, innerHeight) / 512) - 0.2;
  const told = /^#(-?[\d.]+)\//.exec(location.hash);
  const z = Math.floor((told ? Number(told[1]) : Math.max(least, Math.log2(1 / (side * 512)))) + 1e-6);
  const zoom = Math.max(0, z + (z <= 0 ? 2 : 1));
  const before = (depth) => (4 ** depth - 1) / 3;
  const [first, end] = [before(zoom), before(zoom + 1)];
  const wanted = begin.tiles.map((tile, i) => i).filter((i) => begin.tiles[i] < end && begin.tiles[i] + begin.runs[i] > first);
  if (end <= begin.end && wanted.length > 0) {
    const from = Math.min(...wanted.map((i) => begin.offsets[i]));
    const length = Math.max(...wanted.map((i) => begin.offsets[i] + begin.lengths[i])) - from;
    const response = fetch(archive, { headers: { Range: `bytes=${from}-${from + length - 1}` } });
    // Without it tiles are asked for one by one, and what is wrong is told then.
    response.catch(() => {});
    globalThis.begun = { from, length, response };
  }
  // No browser runs a page's modules from a disk.
  if (location.protocol === "file:") {
    addEventListener("DOMContentLoaded", () => {
      const text = document.createElement("p");
      text.id = "unserved";
      text.textContent = "A browser shows this map only from a web server that sends ranges of files, not from a disk: upload the folder "
        + "that this page is in, or serve it, for instance by: npx http-server";
      document.body.replaceChildren(text);
      document.body.classList.remove("starting");
    });
  }
}
