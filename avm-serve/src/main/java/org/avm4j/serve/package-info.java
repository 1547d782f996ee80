/**
 * A service that learns while it answers. {@link org.avm4j.serve.AvmServer} is the service, {@link
 * org.avm4j.serve.AvmClient} talks to it from Java.
 *
 * <p>Requests walk one way: HTTP → store → learner. A row is acknowledged when it is on disk, and
 * learned after that, in the order of its sequence number, so that what was learned follows from
 * what is on disk. Answers come from immutable snapshots and wait for nobody.
 */
package org.avm4j.serve;
