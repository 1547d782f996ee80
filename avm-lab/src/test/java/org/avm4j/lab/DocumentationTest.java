package org.avm4j.lab;

import org.avm4j.DocumentationContract;

class DocumentationTest extends DocumentationContract {}
