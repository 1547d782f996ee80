package org.avm4j.flink;

import org.avm4j.DocumentationContract;

class DocumentationTest extends DocumentationContract {}
