/** Changes the theme from that of the system to light, from light to dark, and from dark to that of the system. */
export function changeTheme(): void {
  const { dataset } = document.documentElement;
  const next = { undefined: 'light', light: 'dark', dark: undefined }[String(dataset.theme)];
  if (next) dataset.theme = next;
  else delete dataset.theme;
  localStorage.setItem('ballotgraph-theme', next ?? '');
}
