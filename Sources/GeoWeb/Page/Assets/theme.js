// Light or dark: as somebody has chosen, else as the system has it, or as a part of the page is made for.
import { extras } from "./extras.js";
import { kept } from "./favourites.js";
import { byId } from "./geo.js";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Has the palette and the page show it. */
export function showTheme(palette) {
  const chosen = kept.get("theme");
  palette.isDark = chosen ? chosen === "dark" : prefersDark.matches || extras.some(({ isDark }) => isDark);
  document.documentElement.dataset.theme = palette.isDark ? "dark" : "light";
  byId("theme").textContent = palette.isDark ? "☀" : "☾";
}

/** Calls something whenever the system changes. */
export function onSystemTheme(changed) { prefersDark.addEventListener("change", changed); }

/** Keeps a theme: light, dark, or without one the system's. */
export function keepTheme(name) {
  if (name === null) kept.remove("theme");
  else kept.set("theme", name);
}
