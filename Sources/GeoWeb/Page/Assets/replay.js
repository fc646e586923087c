// A page that plays a recording that the server has.
import { byId } from "./geo.js";
import { page } from "./main.js";
import { openRecording } from "./player.js";
import { PolylineMaker } from "./polylines.js";
import { readJSONText } from "./trackjson.js";

async function playServed() {
  try {
    const name = decodeURIComponent(document.querySelector('meta[name="recording"]')?.content ?? "recording");
    const { recording } = readJSONText(await page.source.recording(), new PolylineMaker());
    if (!recording) throw new Error("not a recording");
    const speed = Number(document.querySelector('meta[name="speed"]')?.content) || null;
    await openRecording({ name, ...recording, speed }, page);
  } catch (error) {
    byId("note").textContent = `the recording can't be played: ${error.message}`;
  }
}

await playServed();
