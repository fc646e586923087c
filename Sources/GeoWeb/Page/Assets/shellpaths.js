// Paths as bytes, and as words of a shell; sums of nested paths. Nothing here needs a browser.

const encoder = new TextEncoder();
/** Bytes that no shell interprets. A tilde, `=` and `%` mean something at the beginning of a word. */
const PLAIN = /^[A-Za-z0-9_@+:,./-]+$/;
/** Characters that change a line or how it looks: controls, formats, and separators other than the space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const ESCAPES = new Map([["\n", "\\n"], ["\t", "\\t"], ["\r", "\\r"], ["\\", "\\\\"], ["'", "\\'"]]);

/** The bytes of a path: of its text, or of percent-encoded ones if it isn't UTF-8. */
export function bytesOfPath({ path, rawPath }) {
  if (rawPath === undefined) return encoder.encode(path);
  const bytes = [];
  for (let at = 0; at < rawPath.length; at += 1) {
    const hex = rawPath[at] === "%" ? /^[0-9a-fA-F]{2}/.exec(rawPath.slice(at + 1, at + 3)) : null;
    if (hex) {
      bytes.push(parseInt(hex[0], 16));
      at += 2;
    } else bytes.push(...encoder.encode(String.fromCodePoint(rawPath.codePointAt(at))));
    if (rawPath.codePointAt(at) > 0xffff) at += 1;
  }
  return Uint8Array.from(bytes);
}

/** The bytes of a folder on disk, with those of a path from its root on: without the root's name. */
export function joinedPath(folder, bytes, root) {
  const rest = bytes.subarray(encoder.encode(root).length);
  const start = encoder.encode(folder.replace(/\/$/, ""));
  const whole = new Uint8Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole.length > 0 ? whole : encoder.encode("/");
}

/** The characters of bytes, and bytes that belong to none as numbers. */
function* charactersOf(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at];
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let text = null;
    try {
      text = decoder.decode(bytes.subarray(at, at + length));
    } catch {
      // Not UTF-8.
    }
    yield text ?? first;
    at += text === null ? 1 : length;
  }
}

/** The bytes of a path as one word of a shell; `$'…'` if a character can't be seen, or a byte is not UTF-8. */
export function shellWord(bytes) {
  const parts = [...charactersOf(bytes)];
  // A word that begins with a dash is an option.
  if (parts[0] === "-") parts.unshift(".", "/");
  const text = parts.map((part) => (typeof part === "string" ? part : "\ufffd")).join("");
  if (PLAIN.test(text)) return text;
  const isSeen = (part) => typeof part === "string" && !UNSEEN.test(part);
  if (parts.every(isSeen)) return `'${text.replaceAll("'", "'\\''")}'`;
  const hex = (part) => [...(typeof part === "string" ? encoder.encode(part) : [part])].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  return `$'${parts.map((part) => ESCAPES.get(part) ?? (isSeen(part) ? part : hex(part))).join("")}'`;
}

/** Paths as text: one word a line. */
export function shellLines(paths) { return paths.map((bytes) => `${shellWord(bytes)}\n`).join(""); }

/** Paths as a file: each ended by a zero byte. */
export function zeroEnded(paths) {
  const all = new Uint8Array(paths.reduce((sum, bytes) => sum + bytes.length + 1, 0));
  let at = 0;
  for (const bytes of paths) {
    all.set(bytes, at);
    at += bytes.length + 1;
  }
  return all;
}

/** The path as text that no two paths share. */
const textOf = ({ path, rawPath }) => rawPath ?? encodeURIComponent(path).replaceAll("%2F", "/");

/** The entries that are in no other: those in marked folders are marked with them. */
export function outermost(entries) {
  const marked = new Set(entries.map(textOf));
  return entries.filter((entry) => {
    const text = textOf(entry);
    for (let at = text.lastIndexOf("/"); at > 0; at = text.lastIndexOf("/", at - 1)) if (marked.has(text.slice(0, at))) return false;
    return true;
  });
}

/** The sum of entries, each byte once, and whether an amount is unknown. */
export function sumOf(entries, amount) {
  const amounts = outermost(entries).map(amount);
  return { sum: amounts.reduce((sum, one) => sum + (one ?? 0), 0), isPart: amounts.includes(undefined) };
}
