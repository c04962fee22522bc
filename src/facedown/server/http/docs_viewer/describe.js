// What a description says about a call, as text: the shape of a schema, an example of it, the command for a shell.

/**
 * @typedef {{ method: string, address: string, headers: Record<string, string>, body: string | null }} Asked
 */

/** The schema that a reference names. @param {any} schema @param {any} schemas */
function resolved(schema, schemas) {
  const name = schema?.$ref?.split("/").pop();
  return name ? schemas[name] : schema;
}

/** @param {any} schema @param {any} schemas @param {string} [indent] @param {string[]} [within] @returns {string} */
export function outline(schema, schemas, indent = "", within = []) {
  const name = schema.$ref?.split("/").pop() ?? "";
  if (name && within.includes(name)) return name; // it holds itself
  const whole = resolved(schema, schemas);
  const inner = name ? [...within, name] : within;
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return choices.map((/** @type {any} */ each) => outline(each, schemas, indent, inner)).join(" or ");
  if (whole.enum) return whole.enum.map((/** @type {unknown} */ each) => JSON.stringify(each)).join(" | ");
  if (whole.type === "array") {
    const entry = whole.items || whole.prefixItems?.[0] || {};
    return `[${outline(entry, schemas, indent, inner)}, …]`;
  }
  if (whole.type === "object" && whole.properties) {
    const needed = new Set(whole.required ?? []);
    const lines = Object.entries(whole.properties).map(([key, part]) => {
      const optional = needed.has(key) ? "" : "?";
      return `${indent}  ${key}${optional}: ${outline(part, schemas, `${indent}  `, inner)}`;
    });
    return `{\n${lines.join("\n")}\n${indent}}`;
  }
  if (whole.type === "object" && whole.additionalProperties)
    return `{ name: ${outline(whole.additionalProperties, schemas, indent, inner)}, … }`;
  return simple(whole);
}

/** @param {any} schema */
function simple(schema) {
  const bounds = [
    schema.minimum !== undefined || schema.maximum !== undefined
      ? `${schema.minimum ?? ""}…${schema.maximum ?? ""}`
      : "",
    schema.pattern ?? "",
    !schema.pattern && schema.maxLength !== undefined ? `at most ${schema.maxLength} characters` : "",
    schema.description ?? "",
  ].filter(Boolean);
  return `${schema.type ?? "anything"}${bounds.length ? ` (${bounds.join("; ")})` : ""}`;
}

/** A body to begin with: what is needed, with defaults. @param {any} schema @param {any} schemas @returns {any} */
export function example(schema, schemas) {
  const whole = resolved(schema, schemas);
  if (whole.default !== undefined && whole.default !== null) return whole.default;
  const choice = (whole.anyOf ?? whole.oneOf)?.[0];
  if (choice) return example(choice, schemas);
  if (whole.enum) return whole.enum[0];
  if (whole.type === "object") {
    const needed = Object.entries(whole.properties ?? {}).filter(([key]) => whole.required?.includes(key));
    return Object.fromEntries(needed.map(([key, part]) => [key, example(part, schemas)]));
  }
  if (whole.type === "array") return whole.items ? [example(whole.items, schemas)] : [];
  return { string: "", boolean: false, null: null }[/** @type {string} */ (whole.type)] ?? whole.minimum ?? 0;
}

/** @param {Record<string, any>} responses */
export function refusals(responses) {
  const others = Object.entries(responses).filter(([status]) => status >= "400" && status < "600");
  return others.map(([status, { description }]) => `${status}: ${description.replaceAll("`", "")}`).join(" · ");
}

/** The same call in a shell. @param {string} origin @param {Asked} asked */
export function curl(origin, { method, address, headers, body }) {
  /** @param {string} text */
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method])];
  for (const [name, value] of Object.entries(headers)) parts.push("-H", quoted(`${name}: ${value}`));
  if (body !== null) parts.push("-d", quoted(body.replace(/\s*\n\s*/g, " ")));
  return [...parts, quoted(origin + address)].join(" ");
}
