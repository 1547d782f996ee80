/** Models that no learner of ours makes: means of several models, and those of LIBSVM. */
package org.avm4j.models;
