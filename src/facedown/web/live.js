// While the client is being written (`--client sources`): fetches style sheets again when they have changed, and loads
// the page again when anything else has. No bundle contains it.

const events = new EventSource(`/live/events${new URL(import.meta.url).search}`);
events.addEventListener("page", () => location.reload());
events.addEventListener("styles", ({ lastEventId }) => {
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]")))
    replace(link, `?at=${lastEventId}`);
});

/** Puts the new style sheet after the old one, which goes once the new one is there, so that nothing flashes.
 * @param {HTMLLinkElement} old @param {string} search */
function replace(old, search) {
  const link = /** @type {HTMLLinkElement} */ (old.cloneNode());
  link.href = new URL(search, old.href).href;
  link.onload = () => old.remove();
  old.after(link);
}
