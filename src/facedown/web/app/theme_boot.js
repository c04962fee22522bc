// Theme boot: applies the stored theme, card size, contrast and language before the first paint, so that nothing
// flashes, and asks for what the modules will need: the texts of a language that the bundle does not hold, and on home
// the games. A classic script, inlined in the page, without imports.
(() => {
  const CHOICES = {
    theme: ["light", "dark"],
    cards: ["small", "large"],
    contrast: ["more"],
  };
  const root = document.documentElement;

  /** @returns {Record<string, string>} */
  function storedSettings() {
    try {
      return JSON.parse(localStorage.getItem("facedown.settings") ?? "{}") ?? {};
    } catch {
      return {}; // blocked or broken: the style sheet's defaults apply
    }
  }

  const stored = storedSettings();
  for (const [name, values] of Object.entries(CHOICES)) {
    if (values.includes(stored[name])) root.dataset[name] = stored[name];
  }
  root.lang = stored.lang ?? (navigator.language.startsWith("ja") ? "ja" : "en");
  if (root.lang !== "en") {
    const words = { rel: "modulepreload", href: `%ROOT%v/%EDITION%/words/${root.lang}.js` };
    document.head.append(Object.assign(document.createElement("link"), words));
  }
  if (location.pathname === "/" && root.dataset.site === undefined) {
    const answer = fetch("/api/v1/games", { headers: { "Accept-Language": root.lang } });
    answer.catch(() => {}); // the module that takes the answer reports the error
    Object.assign(globalThis, { askedAhead: { "/games": answer } });
  }
})();
