// Runs before the first drawing: the chosen theme, if it is not that of the system.
const chosen = localStorage.getItem('ballotgraph-theme');
if (chosen) document.documentElement.dataset.theme = chosen;
