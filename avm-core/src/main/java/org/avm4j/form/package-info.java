/** What a frozen model computes, laid open for those who write it in another format. */
package org.avm4j.form;
