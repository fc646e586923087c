// The page asks the server; a page that was written to disk has another file in the place of this.
import { ServerSource } from "./server.js";

export async function openSource() { return new ServerSource(); }
