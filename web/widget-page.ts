import { changeTheme } from './change-theme.ts';

/** Gives the widget the theme of the page. */
function showTheme(): void {
  document.querySelector('ballot-lookup')?.setAttribute('theme', document.documentElement.dataset.theme ?? '');
}

document.querySelector('[data-action=theme]')?.addEventListener('click', () => {
  changeTheme();
  showTheme();
});
showTheme();

const embed = document.getElementById('embed');
if (embed) embed.textContent = embed.textContent?.replaceAll('https://gateway.example', location.origin) ?? '';
