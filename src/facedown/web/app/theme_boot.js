// Theme boot: applies the stored theme, card size, contrast and language before the first paint, so that nothing
// flashes, notes whether this is a first visit, and asks for what comes next: the letters of Latin text, the words, and
// on home the games. A classic script, inlined in the page; it imports nothing.
(() => {
  const CHOICES = {
    theme: ["light", "dark"],
    cards: ["small", "large"],
    contrast: ["more"],
  };
  const root = document.documentElement;
  const languages = Object.keys(JSON.parse(root.dataset.languages ?? "{}")); // English first

  /** @returns {Record<string, string>} */
  function storedSettings() {
    try {
      const played = localStorage.getItem("facedown.played") ?? "";
      return { ...JSON.parse(localStorage.getItem("facedown.settings") ?? "{}"), played };
    } catch {
      return {}; // blocked or broken: the style sheet's defaults apply
    }
  }

  /** The language of ours that a tag names: itself, or one that begins alike. @param {string|undefined} tag */
  function ours(tag) {
    const wanted = tag?.toLowerCase() ?? "";
    const [first] = wanted.split("-");
    const find = (/** @type {string} */ each) => languages.find((language) => language.toLowerCase() === each);
    return find(wanted) ?? find(first) ?? languages.find((language) => language.split("-")[0] === first);
  }

  /** @param {string} language */
  function showFirstScreenIn(language) {
    const sheet = new CSSStyleSheet();
    const texts = '.home[aria-busy="true"] [lang]';
    sheet.replaceSync(`${texts} { display: none } ${texts}[lang="${language}"] { display: inline !important }`);
    document.adoptedStyleSheets.push(sheet);
  }

  const stored = storedSettings();
  for (const [name, values] of Object.entries(CHOICES)) {
    if (values.includes(stored[name])) root.dataset[name] = stored[name];
  }
  root.lang = [stored.lang, ...navigator.languages].map(ours).find(Boolean) ?? languages[0];
  const fetchAhead = (/** @type {Record<string, string>} */ link) =>
    document.head.append(Object.assign(document.createElement("link"), link));
  if (new Intl.Locale(root.lang).maximize().script === "Latn")
    fetchAhead({ rel: "preload", href: "%BASE%/vendor/inter.woff2", as: "font", type: "font/woff2", crossOrigin: "" });
  fetchAhead({ rel: "modulepreload", href: `%BASE%/words/${root.lang}.js` });
  if (root.lang !== languages[0]) showFirstScreenIn(root.lang);
  if (!stored.played) root.dataset.fresh = "";
  if (location.pathname === "/" && root.dataset.site === undefined) {
    const answer = fetch("/api/v1/games", { headers: { "Accept-Language": root.lang } });
    answer.catch(() => {}); // the module that takes the answer reports the error
    Object.assign(globalThis, { askedAhead: { "/games": answer } });
  }
})();
