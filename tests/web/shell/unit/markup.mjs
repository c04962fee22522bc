// Reads a module just far enough to hand out its markup: every html`…`, without what is filled in.

/** @param {string} text @returns {string[]} */
export function markup(text) {
  const found = [];
  let at = 0;

  /** Code up to the brace that closes it, or to the end. */
  function code() {
    for (let depth = 0; at < text.length; at++) {
      const sign = text[at];
      if (sign === "{") depth++;
      else if (sign === "}" && depth-- === 0) return;
      else if (sign === '"' || sign === "'") string(sign);
      else if (sign === "`") template(/html$/.test(text.slice(0, at)));
      else if (sign === "/") slash();
    }
  }

  function string(end) {
    for (at++; text[at] !== end; at++) if (text[at] === "\\") at++;
  }

  function slash() {
    if (text[at + 1] === "/") at = text.indexOf("\n", at);
    else if (text[at + 1] === "*") at = text.indexOf("*/", at) + 1;
    else if (/[(,=:[!&|?{};]\s*$/.test(text.slice(0, at))) pattern();
  }

  function pattern() {
    for (let inClass = false; ; ) {
      const sign = text[++at];
      if (sign === "\\") at++;
      else if (sign === "[") inClass = true;
      else if (sign === "]") inClass = false;
      else if (sign === "/" && !inClass) return;
    }
  }

  function template(isMarkup) {
    let words = "";
    for (at++; text[at] !== "`"; at++) {
      if (text[at] === "\\") words += text[++at];
      else if (text[at] === "$" && text[at + 1] === "{") {
        at += 2;
        code();
      } else words += text[at];
    }
    if (isMarkup) found.push(words);
  }

  code();
  return found;
}
