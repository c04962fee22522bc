// Settings screen: language, sound, volume, motion, theme, contrast, card size, name, account, notifications, another
// device.

import { OtherDevice } from "../dialogs/devices.js";
import { html, onValue, useEffect, useState } from "../html.js";
import { ask, guestSession, hadSession, isKept, ownName, renewSession } from "../net/api.js";
import { place } from "../net/place.js";
import { ErrorNotice, Name, Page, Volume } from "../parts/elements.js";
import { Choices, namedValues } from "../parts/fields.js";
import { useTitle, useWork } from "../parts/hooks.js";
import { KeepForOffline } from "../parts/offline.js";
import { isSite } from "../router.js";
import { choose, settings } from "../settings.js";
import { canVibrate, isSilent, switchSound } from "../sound.js";
import { read, write } from "../storage.js";
import { lang, languages, t } from "../words.js";
import { Notifications, OwnAccount, OwnData, RelationList } from "./settings_sections.js";

/** What is chosen among a few values. */
const CHOICES = {
  motion: ["system", "full", "less"],
  theme: ["system", "dark", "light"],
  contrast: ["system", "more"],
  cards: ["small", "usual", "large"],
};

const onOff = () => namedValues(["on", "off"], (each) => t(`settings.sound.${each}`));

export function SettingsScreen() {
  const now = settings.value;
  useTitle(t("bar.settings"));
  return html`<${Page} class="settings">
    <h1>${t("bar.settings")}</h1>
    <section class="settings-list">
      <label class="field">
        <span class="label">${t("settings.lang")}</span>
        <select onChange=${onValue((/** @type {string} */ each) => choose({ lang: each }))}>
          ${Object.entries(languages).map(
            ([value, label]) =>
              html`<option key=${value} value=${value} lang=${value} selected=${value === lang.value}>
                ${label}
              </option>`,
          )}
        </select>
      </label>
      <${Choices}
        label=${t("settings.sound")}
        value=${isSilent() ? "off" : "on"}
        values=${onOff()}
        choose=${switchSound}
      />
      <${Volume} />
      ${
        canVibrate() &&
        html`<${Choices}
          label=${t("settings.vibration")}
          value=${now.vibration ? "on" : "off"}
          values=${onOff()}
          choose=${(/** @type {string} */ each) => choose({ vibration: each === "on" })}
        />`
      }
      ${Object.entries(CHOICES).map(
        ([name, values]) => html`<${Choices}
          key=${name}
          label=${t(`settings.${name}`)}
          value=${now[/** @type {keyof typeof CHOICES} */ (name)]}
          values=${namedValues(values, (each) => t(`settings.${name}.${each}`))}
          choose=${(/** @type {string} */ chosen) => choose({ [name]: chosen })}
        />`,
      )}
      <${NameField} />
    </section>
    <section>
      <h2>${t("settings.offline")}</h2>
      <p class="lead">${t(isSite ? "settings.offline.site" : "settings.offline.say")}</p>
      <${KeepForOffline} />
    </section>
    ${place.value === "server" && html`<${OnServer} />`}
  <//>`;
}

/** What needs a server. */
function OnServer() {
  return html`
      <section><h2>${t("settings.account")}</h2><${OwnAccount} /></section>
      <section>
        <h2>${t("settings.notify")}</h2><p class="lead">${t("settings.notify.say")}</p><${Notifications} />
      </section>
      <section>
        <h2>${t("settings.device")}</h2><p class="lead">${t("settings.device.say")}</p><${OtherDevice} />
      </section>
      <section>
        <h2>${t("relations.title")}</h2><p class="lead">${t("relations.say")}</p><${RelationList} />
      </section>
      <section>
        <h2>${t("data.title")}</h2><p class="lead">${t("data.say")}</p><${OwnData} />
      </section>
  `;
}

/** What others call the person: a kept account's handle, or the name of a guest, who can change it. */
const NameField = () =>
  isKept()
    ? html`<div class="field">
        <span class="label">${t("settings.name")}</span>
        <span><b><${Name}>${ownName()}<//></b> <span class="small quiet">${t("settings.name.kept")}</span></span>
      </div>`
    : html`<${GuestName} />`;

function GuestName() {
  const [name, setName] = useState(read("name", ""));
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (hadSession() && !name)
      guestSession().then(
        (own) => setName((typed) => typed || own.name),
        () => {},
      ); // come from another device
  }, []);
  const save = useWork(async () => {
    write("name", name.trim());
    if (hadSession()) await ask("PATCH", "/session", { name: name.trim() });
    renewSession();
    await guestSession();
    setDone(true);
  });
  return html`<div class="field">
    <label class="label" for="own-name">${t("settings.name")}</label>
    <span class="row">
      <input
        id="own-name"
        type="text"
        maxlength="32"
        autocomplete="nickname"
        value=${name}
        onInput=${onValue((typed) => {
          setName(typed);
          setDone(false);
        })}
      />
      <button class="button second" disabled=${save.busy || !name.trim()} onClick=${save.run}>
        ${t(done ? "settings.saved" : "settings.save")}
      </button>
    </span>
    <${ErrorNotice} error=${save.error} />
  </div>`;
}
