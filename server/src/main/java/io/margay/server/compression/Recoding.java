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
        /// What changes it; null where there is no room for that, and it remains as it is.
        @Nullable EncoderLease lease();

        /// Says so in the head.
        void describe(FieldList fields);
    }
}
