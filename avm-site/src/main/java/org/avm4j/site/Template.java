package org.avm4j.site;

/** What all pages share. */
final class Template {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>@title@</title>
      <style>
      :root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --faint: #d8d8d8; --soft: #f4f4f4; --link: #0058a3; }
      @media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #161616; --faint: #474747; --soft: #232323; --link: #7cc0ff; } }
      body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; display: flex; }
      nav { flex: 0 0 13rem; padding: 1rem; border-right: 1px solid var(--faint); font-size: .92rem; }
      nav ul { list-style: none; margin: 0 0 1.2rem; padding: 0; } nav [aria-current] { font-weight: 700; color: var(--ink); }
      main { flex: 1 1 auto; min-width: 0; max-width: 54rem; padding: 1rem 2rem 4rem; overflow-wrap: anywhere; }
      a { color: var(--link); } img { max-width: 100%; background: #fff; }
      code, pre { font: .9em ui-monospace, monospace; background: var(--soft); } pre { padding: .8rem; overflow-x: auto; }
      table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { border: 1px solid var(--faint); padding: .25rem .6rem; text-align: left; }
      @media (max-width: 50rem) { body { display: block; } nav { border: 0; border-bottom: 1px solid var(--faint); } nav li { display: inline-block; margin-right: .9rem; } main { padding: 1rem; } }
      </style></head><body>
      <nav aria-label="Pages">
      @nav@</nav>
      <main>
      @body@</main>
      </body></html>
      """;

  private Template() {}

  static String page(String title, String navigation, String body) {
    return PAGE.replace("@title@", escaped(title))
        .replace("@nav@", navigation)
        .replace("@body@", body);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
