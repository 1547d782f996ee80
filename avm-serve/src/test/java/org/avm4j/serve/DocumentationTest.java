package org.avm4j.serve;

import org.avm4j.DocumentationContract;

class DocumentationTest extends DocumentationContract {}
