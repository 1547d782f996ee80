/**
 * The bytes of saved learners and models, in files, streams and arrays.
 *
 * <p>{@link org.avm4j.codec.ModelFile} is the frame around them, {@link org.avm4j.codec.Encoder}
 * and {@link org.avm4j.codec.Decoder} write and read what is inside.
 */
package org.avm4j.codec;
