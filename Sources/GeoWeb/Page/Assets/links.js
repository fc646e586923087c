// Links to this view: copying them, and what a user has to know of them.
import { copyButton, make } from "./geo.js";

/** Paths that a shell takes as they are. */
const PLAIN = /^\/[A-Za-z0-9_@+:,./-]*$/;
const LOCAL = ["localhost", "127.0.0.1", "[::1]", ""];

/** The link to the view: with the server's token if it needs one. */
export function linkOf({ link }, { href, hash }) { return link === undefined ? href : link + hash; }

/** What a user has to know of a link, as sentences; none of a published site's. */
export function linkWords(link, { hostname, isServer }) {
  const words = [];
  if (LOCAL.includes(hostname)) words.push("This link works on this machine only.");
  if (isServer && link.includes("?token=")) words.push("It contains the token: others who have the link can open this map.");
  return words;
}

/** The command that publishes some roots, with their paths on disk if they are known. */
export function publishCommand(roots) {
  const operands = roots.map(({ label, file }) => {
    if (file === undefined || !PLAIN.test(file) || !PLAIN.test(`/${label}`)) return "DIR";
    return file.slice(file.lastIndexOf("/") + 1) === label ? file : `${label}=${file}`;
  });
  return `geomapper publish ${[...new Set(operands)].join(" ")} -o OUT`;
}

/** A button that copies the link to the view, and then says what it needs. */
export function linkButton(source, hint, mark) {
  const button = copyButton("Copy link", () => linkOf(source, location), hint, mark);
  const told = make("div", { class: "soft", role: "status" });
  button.addEventListener("click", async () => {
    const link = new URL(linkOf(source, location));
    const words = linkWords(link.href, { hostname: link.hostname, isServer: source.isLive });
    if (words.length === 0) return;
    (button.closest(".row") ?? button).after(told);
    told.replaceChildren(make("p", {}, words.join(" ")));
    if (!source.isLive || !LOCAL.includes(link.hostname)) return;
    const roots = await source.roots().catch(() => []);
    const files = await Promise.all(roots.map(({ label }) => source.node(label, undefined, 0).catch(() => null)));
    const command = publishCommand(roots.map(({ label }, i) => ({ label, file: files[i]?.file })));
    told.append(make("p", {}, "To share the map, publish it: ", make("code", {}, command), " ", copyButton("Copy command", () => command, "Copy it by hand")));
  });
  return button;
}
