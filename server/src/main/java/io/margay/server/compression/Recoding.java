package io.margay.server.compression;

import io.margay.protocol.http.FieldList;
import org.jspecify.annotations.Nullable;

/// What becomes of the content of one response: chosen when its head is about to be sent.
@FunctionalInterface
interface Recoding {
    /// @param length of the content, negative when it is not known
    /// @return null when the content remains as it is
    @Nullable Recoded choose(long length);

    /// How content is changed.
    interface Recoded {
        /// What becomes of the whole of a content that nobody changes any more, if that is known
        /// from before.
        default byte @Nullable [] known(byte[] content) {
            return null;
        }

        /// What has become of it.
        default void keep(byte[] content, byte[] encoded) {}

        /// What changes it; null where there is no room for that, and it remains as it is.
        ///
        /// @param length of the content, when all of it follows at once; otherwise negative
        @Nullable EncoderLease lease(long length);

        /// Says so in the head.
        void describe(FieldList fields);
    }
}
