// XML 1.0 in pieces, as they come: no document types, so no entities but XML's own, and nothing in a
// document can grow or name anything outside of it. Faults name their line.

/** How deep elements may be nested, and how long a piece of markup or a text may be. */
const [DEEPEST, LONGEST] = [64, 1 << 20];

const NAME = "[A-Za-z_:\\x80-\\uffff][\\w:.\\-\\x80-\\uffff]*";
const START = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, "y");
const END = new RegExp(`</(${NAME})\\s*>`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");
/** What more may make a tag of. */
const UNFINISHED = /^<(?:[^<>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?$/;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
const own = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" };

/** What is wrong with a file, and where. */
export class Fault extends Error {}

/** Has `sink` told of `begin(name, attributes)`, `text(text)` and `end(name)`. */
export class XMLReader {
  constructor(sink) {
    this.sink = sink;
    this.rest = "";
    /** Lines before what is left. */
    this.lines = 1;
    this.at = 0;
    this.open = [];
    this.isOver = false;
  }

  /** A fault at what was read last. */
  fault(reason) { return new Fault(`line ${this.lines + breaksIn(this.rest, 0, this.at)}: ${reason}`); }

  /** Reads on: all that is whole in what has come so far; at the end all has to be. */
  push(text, isLast = false) {
    this.rest += text;
    this.at = 0;
    while (this.at < this.rest.length && this.step(isLast));
    if (isLast) {
      if (this.at < this.rest.length) throw this.fault("the file ends within a tag, or a tag is none");
      if (this.open.length > 0) throw this.fault(`the file ends within <${this.open.at(-1)}>`);
      if (!this.isOver) throw this.fault("the file is empty");
    } else if (this.rest.length - this.at > LONGEST) throw this.fault("a tag or a text is longer than a mebibyte");
    this.lines += breaksIn(this.rest, 0, this.at);
    this.rest = this.rest.slice(this.at);
    this.at = 0;
  }

  /** Reads one piece; false if it isn't whole yet. */
  step(isLast) {
    const { rest, at } = this;
    if (rest[at] !== "<") {
      let end = rest.indexOf("<", at);
      if (end < 0 && !isLast) return false;
      if (end < 0) end = rest.length;
      this.text(rest.slice(at, end), true);
      this.at = end;
      return true;
    }
    if (rest.length - at < 9 && !isLast) return false;
    if (rest.startsWith("<!--", at)) return this.pass(4, "-->");
    if (rest.startsWith("<?", at)) return this.pass(2, "?>");
    if (rest.startsWith("<![CDATA[", at)) {
      const end = rest.indexOf("]]>", at + 9);
      if (end >= 0) this.text(rest.slice(at + 9, end), false);
      return this.pass(9, "]]>");
    }
    if (rest.startsWith("<!DOCTYPE", at)) throw this.fault("a document type (<!DOCTYPE) is refused: tracks need none");
    if (rest[at + 1] === "!") throw this.fault("there is '<!' and what follows is no comment");
    return this.tag(isLast);
  }

  pass(opening, closing) {
    const end = this.rest.indexOf(closing, this.at + opening);
    if (end < 0) return false;
    this.at = end + closing.length;
    return true;
  }

  tag(isLast) {
    const { rest, at } = this;
    const isEnd = rest[at + 1] === "/";
    const pattern = isEnd ? END : START;
    pattern.lastIndex = at;
    const found = pattern.exec(rest);
    if (!found) {
      // It may go on, if no bracket ends it.
      if (!isLast && !UNFINISHED.test(rest.slice(at, at + LONGEST + 1))) throw this.fault("a tag is none of XML");
      return false;
    }
    const name = found[1];
    if (isEnd) {
      if (this.open.at(-1) !== name) {
        throw this.fault(this.open.length > 0 ? `</${name}> stands where <${this.open.at(-1)}> is open` : "an end tag ends nothing");
      }
      this.open.pop();
      this.sink.end(name);
    } else {
      if (this.open.length === 0 && this.isOver) throw this.fault("there is a second element after the document's");
      if (this.open.length >= DEEPEST) throw this.fault(`elements are nested more than ${DEEPEST} deep`);
      this.isOver = true;
      this.sink.begin(name, this.attributes(found[2]));
      if (found[3]) this.sink.end(name);
      else this.open.push(name);
    }
    this.at += found[0].length;
    return true;
  }

  attributes(text) {
    const all = {};
    for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
      if (Object.hasOwn(all, name)) throw this.fault("an element has two attributes of one name");
      all[name] = this.decode(double ?? single);
    }
    return all;
  }

  text(text, hasEntities) {
    if (this.open.length > 0) this.sink.text(hasEntities ? this.decode(text) : text);
    else if (text.trim() !== "") throw this.fault("there is text outside of the document's element");
  }

  decode(text) {
    if (CONTROL.test(text)) throw this.fault("a text holds a control character");
    if (!text.includes("&")) return text;
    return text.replace(/&([^;&]{0,12})(;?)/g, (all, name, end) => {
      if (end === "" || name === "") throw this.fault("an '&' begins no entity");
      if (Object.hasOwn(own, name)) return own[name];
      const number = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
      if (!number) throw this.fault(`the entity '${name}' isn't known; XML has amp, lt, gt, quot and apos alone`);
      const code = number[1] ? parseInt(number[1], 16) : Number(number[2]);
      if (code > 0x10ffff || (code < 32 && ![9, 10, 13].includes(code)) || (code >= 0xd800 && code < 0xe000) || code === 0xfffe || code === 0xffff) {
        throw this.fault("a character reference names no character that XML has");
      }
      return String.fromCodePoint(code);
    });
  }
}

function breaksIn(text, start, end) {
  let count = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
