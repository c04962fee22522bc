// Browser storage: JSON values under `facedown.…` in localStorage. If storage is full or blocked, values stay in
// memory until the page is closed.

/** @type {Map<string, string>} */
const memory = new Map();

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function read(name, otherwise) {
  const text = fetchText(`facedown.${name}`);
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** A value as its text; null if there is none. @param {string} name */
export const readText = (name) => fetchText(`facedown.${name}`);

/** @param {string} name @param {unknown} value */
export function write(name, value) {
  const text = JSON.stringify(value);
  memory.set(`facedown.${name}`, text);
  try {
    localStorage.setItem(`facedown.${name}`, text);
  } catch {
    // full or blocked: memory has it
  }
}

/** @param {string} name */
export function forget(name) {
  memory.delete(`facedown.${name}`);
  try {
    localStorage.removeItem(`facedown.${name}`);
  } catch {
    // blocked: memory only
  }
}

/** The stored names that start like this. @param {string} start */
export function storedNames(start) {
  const names = new Set(memory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name);
  } catch {
    // blocked: memory only
  }
  return [...names].filter((name) => name.startsWith(`facedown.${start}`)).map((name) => name.slice(9));
}

/** @param {string} name */
function fetchText(name) {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}
