/**
 * A service that learns while it answers. {@link org.avm4j.serve.AvmServer} is the service, {@link
 * org.avm4j.serve.AvmClient} talks to it from Java.
 *
 * <p>Requests walk one way: HTTP → store → learner. A row is acknowledged when it is on disk, and
 * learned after that, in the order of sequence numbers, so that the learner can always be rebuilt
 * from the disk. Answers come from immutable snapshots and never wait for the learner.
 */
package org.avm4j.serve;
