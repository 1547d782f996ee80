package org.avm4j;

class DocumentationTest extends DocumentationContract {}
