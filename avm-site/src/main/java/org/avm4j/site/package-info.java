/** The documentation site: every page of the project as HTML, with links that were checked. */
package org.avm4j.site;
