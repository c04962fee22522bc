// Rules screen: how to play in pictures and plain words, examples to play with; the exact rules fold away below.

import { html, useEffect, useState } from "../html.js";
import { get } from "../net/api.js";
import { Button, Emblem, ErrorNotice, Link, Page } from "../parts/elements.js";
import { useGame, useRequest, useStyles, useTitle, useWork } from "../parts/hooks.js";
import { Lessons } from "../parts/lessons.js";
import { anchor, go } from "../router.js";
import { motion } from "../settings.js";
import { sound } from "../sound.js";
import { allGames, games, usualPreset } from "../state/games.js";
import { restartGuide } from "../state/guide.js";
import { playNow } from "../state/seating.js";
import { introduction, renderMarks, sections } from "../table/rule_text.js";
import { gameWord, lang, t, wordsOf } from "../words.js";

/** @import { GameInfo } from "../net/rest.js" */

/** @param {{game?: string, rules?: string}} props */
export function Rules({ game, rules = "" }) {
  const { error, again } = useRequest(allGames, []);
  useTitle(t("bar.rules"));
  const all = games.value ?? [];
  const shown = all.find((each) => each.name === game) ?? (game ? null : all[0]);
  return html`<${Page} class="rules">
    <${ErrorNotice} error=${error} again=${again} />
    <nav class="wrap rules-games" aria-label=${t("new.game")}>
      ${all.map(
        (each) => html`<${Link}
          class="plain"
          href=${`/rules/${each.name}`}
          aria-current=${each === shown ? "page" : undefined}
        >
          <${Emblem} game=${each.name} size="glyph" />${gameWord(each.name, "title", each.title)}
        <//>`,
      )}
    </nav>
    ${games.value && !shown && html`<h1>${t("lost.title")}</h1><p class="lead">${t("lost.say")}</p>`}
    ${shown && html`<${GameRules} key=${shown.name} info=${shown} rules=${rules} />`}
  <//>`;
}

/** @param {{info: GameInfo, rules: string}} props */
function GameRules({ info, rules }) {
  const path = `/games/${info.name}/rules?rules=${encodeURIComponent(rules || usualPreset(info).rules)}`;
  const { value, error, again } = useRequest(() => get(path), [path, lang.value]);
  const game = useGame(info.name);
  const isDressed = useStyles("/app/table/examples.css");
  const words = wordsOf(info.name);
  const [exact, setExact] = useState(anchor() !== "" || rules !== "");
  useEffect(() => {
    const seek = () => {
      if (anchor() !== "") setExact(true);
      if (value) requestAnimationFrame(() => document.getElementById(anchor())?.scrollIntoView());
    };
    seek();
    addEventListener("hashchange", seek);
    return () => removeEventListener("hashchange", seek);
  }, [value]);
  const guided = useWork(async () => {
    restartGuide(info.name);
    go(`/t/${await playNow(info.name, { side: 1 })}`);
  });
  return html`
    <h1>${gameWord(info.name, "title", info.title)}</h1>
    <p class="lead">${gameWord(info.name, "summary", info.summary)}</p>
    <${ErrorNotice} error=${error} again=${again} />
    ${
      game?.lessons &&
      html`<section>
        <h2>${t("rules.how")}</h2>
        <${Lessons} game=${game} words=${words} />
        ${
          game.hints &&
          html`<p class="gap-before">
            <${Button} work=${guided} class="button first">${t("rules.guided")}<//>
          </p>`
        }
        <${ErrorNotice} error=${guided.error} />
      </section>`
    }
    ${
      game &&
      isDressed &&
      game.rulesExamples.length > 0 &&
      html`<section>
        <h2>${t("rules.try")}</h2>
        <div class="examples">
          ${game.rulesExamples.map(
            ({ id, title, rules: ids, Component }) => html`<article class="panel example" key=${id}>
              <h3>${words(title)}</h3>
              <${Component} words=${words} motion=${motion.value} sound=${sound} />
              <p class="small quiet">
                ${(ids ?? []).map(
                  (each, place) => html`${place > 0 && ", "}<a class="link" href=${`#${each}`}>${each}</a>`,
                )}
              </p>
            </article>`,
          )}
        </div>
      </section>`
    }
    <section>
      ${value && introduction(value.page).map((each) => html`<p class="rules-about">${renderMarks(each)}</p>`)}
    </section>
    ${
      value &&
      html`<details
        class="rule-page options"
        open=${exact}
        onToggle=${(/** @type {any} */ event) => setExact(event.currentTarget.open)}
      >
        <summary><h2>${t("rules.exact")}</h2></summary>
        <div class="rule-columns">
          ${sections(value.page, value.sentences).map(
            ({ heading, rules: ids }) => html`<section>
              <h3>${heading}</h3>
              <dl>
                ${ids.map(
                  (id) => html`<div id=${id}>
                    <dt class="numbers">${id}</dt><dd>${renderMarks(value.sentences[id] ?? "")}</dd>
                  </div>`,
                )}
              </dl>
            </section>`,
          )}
        </div>
      </details>`
    }
    <p class="gap-before home-study">
      ${info.trainer && html`<${Link} class="link" href=${`/train/${info.name}?way=daily`}>${t("study.train")}<//>`}
      ${info.explorer && html`<${Link} class="link" href=${`/explore/${info.name}`}>${t("study.explore")}<//>`}
    </p>
    <p class="gap-before"><${Link} class="link" href="/about">${t("about.title")}<//></p>
  `;
}
