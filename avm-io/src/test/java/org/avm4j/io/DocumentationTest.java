package org.avm4j.io;

import org.avm4j.DocumentationContract;

class DocumentationTest extends DocumentationContract {}
