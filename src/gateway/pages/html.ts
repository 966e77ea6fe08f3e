/** Escapes text for HTML, in content and in quoted attributes. */
export function text(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Converts plain text to HTML; text in backticks becomes `<code>`. */
export function prose(content: string): string {
  return text(content).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

/** Returns a paragraph of plain text; '' for an empty one. */
export function paragraph(content: string): string {
  return content === '' ? '' : `<p>${prose(content)}</p>`;
}

/** Returns a table of HTML cells, which is a list on small screens. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const titles = head.map((cell) => `<th scope="col">${cell}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<table class="params"><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Returns code in a box that scrolls by itself, and that the keyboard can reach for this. */
export function codeBox(code: string, label: string, id?: string): string {
  return `<pre tabindex="0" role="group" aria-label="${text(label)}"${id ? ` id="${id}"` : ''}>${text(code)}</pre>`;
}
