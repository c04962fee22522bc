// The page of the API: every call and message from the server's own description, and a form to try each call.
import { curl, example, outline, refusals } from "./describe.js";

/**
 * @typedef {{ name: string, in: string, required: boolean, schema: any, description?: string }} Parameter
 * @typedef {{ operationId: string, summary: string, tags: string[], parameters: Parameter[], requestBody?: any,
 *   responses: Record<string, any> }} Operation
 */

/** @param {string} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} id @returns {HTMLInputElement} */
const field = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** @param {any} schema @param {any} schemas */
const shape = (schema, schemas) => element("pre", { tabindex: "0" }, outline(schema, schemas));

/** @param {string} method @param {string} path @param {Operation} operation @param {any} schemas */
function call(method, path, operation, schemas) {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const inside = element("div", { class: "inside" });
  if (operation.parameters.length) {
    const listed = element("dl");
    for (const each of operation.parameters) {
      const says = [each.in, each.required ? "needed" : "", outline(each.schema, schemas), each.description ?? ""];
      listed.append(
        element("dt", {}, element("code", {}, each.name)),
        element("dd", {}, says.filter(Boolean).join("; ")),
      );
    }
    inside.append(element("h3", {}, "Parameters"), listed);
  }
  if (body) inside.append(element("h3", {}, "Body"), shape(body, schemas));
  for (const [status, answer] of Object.entries(operation.responses)) {
    const [media] = Object.entries(answer.content ?? {});
    if (!status.startsWith("2")) continue;
    inside.append(element("h3", {}, `Answer ${status}`));
    inside.append(media ? shape(media[1].schema, schemas) : element("p", { class: "dim" }, "no body"));
  }
  const listed = refusals(operation.responses);
  if (listed) inside.append(element("p", { class: "dim" }, `Refused with ${listed}`));
  inside.append(trial(method, path, operation, body && example(body, schemas)));
  return folded(operation.operationId, method, path, operation.summary, inside);
}

/** @param {string} id @param {string} kind @param {string} name @param {string} says @param {Node} inside */
function folded(id, kind, name, says, inside) {
  const head = element(
    "summary",
    {},
    element("span", { class: "method" }, kind),
    element("span", { class: "path" }, name),
    element("span", { class: "says" }, says.replaceAll("`", "")),
  );
  return element("details", { id }, head, inside);
}

/** The form that sends a call. @param {string} method @param {string} path @param {Operation} operation
 * @param {any} body */
function trial(method, path, operation, body) {
  /** @type {Map<Parameter, HTMLInputElement>} */
  const inputs = new Map();
  const form = element("form", { class: "try" });
  for (const each of operation.parameters) {
    const input = /** @type {HTMLInputElement} */ (element("input", { autocomplete: "off", spellcheck: "false" }));
    input.required = each.required;
    inputs.set(each, input);
    form.append(element("label", {}, each.name, input));
  }
  const text = /** @type {HTMLTextAreaElement} */ (element("textarea", { spellcheck: "false", "aria-label": "body" }));
  if (body !== undefined) {
    text.value = JSON.stringify(body, null, 2);
    form.append(text);
  }
  form.append(element("button", {}, "Send"));
  const shown = element("pre", { role: "status", tabindex: "0" });
  shown.hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const request = asked(method, path, inputs, body === undefined ? null : text.value);
    shown.hidden = false;
    shown.textContent = `${curl(location.origin, request)}\n\n…`;
    shown.textContent = `${curl(location.origin, request)}\n\n${await sent(request)}`;
  });
  return element("div", {}, element("h3", {}, "Try it"), form, shown);
}

/** @param {string} method @param {string} path @param {Map<Parameter, HTMLInputElement>} inputs
 * @param {string | null} body */
function asked(method, path, inputs, body) {
  let address = path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = body === null ? {} : { "Content-Type": "application/json" };
  const token = field("token").value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  for (const [each, { value }] of inputs) {
    if (!value) continue;
    if (each.in === "path") address = address.replace(`{${each.name}}`, encodeURIComponent(value));
    else if (each.in === "query") query.set(each.name, value);
    else headers[each.name] = value;
  }
  return { method, address: query.size ? `${address}?${query}` : address, headers, body };
}

/** @param {import("./describe.js").Asked} request */
async function sent({ method, address, headers, body }) {
  try {
    const answer = await fetch(address, { method, headers, body });
    const text = await answer.text();
    const json = (answer.headers.get("Content-Type") ?? "").includes("json");
    return `${answer.status} ${answer.statusText}\n${json && text ? pretty(text) : text}`;
  } catch (error) {
    return String(error);
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // a stream: one JSON document for each line
  }
}

/** @param {any} socket */
function messages(socket) {
  const schemas = socket.components.schemas;
  const about = element("p", {}, socket.info.description.replaceAll("`", ""));
  const section = element("section", {}, element("h2", {}, "WebSocket"), about);
  for (const [name, operation] of Object.entries(socket.operations)) {
    const [, direction, tag] = /** @type {RegExpExecArray} */ (/^(\w+?)_(\w+)$/.exec(name));
    const inside = element("div", { class: "inside" }, shape(socket.components.messages[tag].payload, schemas));
    const kind = direction === "receive" ? "client" : "server";
    section.append(folded(`message-${tag}`, kind, tag, operation.summary, inside));
  }
  return section;
}

function narrow() {
  const words = field("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const each of document.querySelectorAll("details")) {
    const text = (each.textContent ?? "").toLowerCase();
    each.hidden = !words.every((word) => text.includes(word));
  }
  for (const each of document.querySelectorAll("section")) {
    each.hidden = !each.querySelector("details:not([hidden])");
  }
}

async function start() {
  const read = ["openapi", "asyncapi"].map((name) => fetch(`/api/${name}.json`).then((answer) => answer.json()));
  const [api, socket] = await Promise.all(read);
  const main = /** @type {HTMLElement} */ (document.getElementById("calls"));
  /** @type {HTMLElement} */ (document.getElementById("about")).textContent = `Version ${api.info.version}.`;
  const sections = api.tags.map((/** @type {any} */ tag) => {
    const section = element("section", {}, element("h2", {}, tag.name), element("p", {}, tag.description));
    for (const [path, methods] of Object.entries(api.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.tags[0] === tag.name)
          section.append(call(method.toUpperCase(), path, operation, api.components.schemas));
    return section;
  });
  main.replaceChildren(...sections, messages(socket));
  field("find").addEventListener("input", narrow);
  const linked = document.getElementById(location.hash.slice(1));
  if (linked instanceof HTMLDetailsElement) {
    linked.open = true;
    linked.scrollIntoView();
  }
  main.addEventListener("click", (event) => {
    const opened = /** @type {Element} */ (event.target).closest("summary")?.parentElement;
    if (opened) history.replaceState(null, "", `#${opened.id}`);
  });
}

start().catch((error) => {
  /** @type {HTMLElement} */ (document.getElementById("loading")).textContent = `Not readable: ${error}`;
});
