package org.avm4j.export;

import org.avm4j.DocumentationContract;

class DocumentationTest extends DocumentationContract {}
