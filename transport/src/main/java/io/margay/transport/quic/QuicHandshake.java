package io.margay.transport.quic;

import io.margay.transport.TlsSession;
import org.jspecify.annotations.Nullable;

/// A TLS 1.3 handshake without records, on the server's side, as QUIC needs it (RFC 9001 §4): who
/// speaks QUIC carries the octets of its messages. Confined to the loop on which it was begun.
///
/// Levels are numbered: 0 Initial, 1 0-RTT, 2 Handshake, 3 1-RTT.
public interface QuicHandshake {
    /// Takes what the handshake brings forth, during [#receive].
    interface Events {
        /// Octets of handshake messages. The array is the receiver's.
        void send(int level, byte[] octets);

        /// The secrets of a level.
        ///
        /// @param suite the number of the cipher suite in TLS
        /// @param read for packets of the client, or null when there is none yet
        /// @param write for our packets, or null when there is none yet
        void secrets(int level, int suite, byte @Nullable [] read, byte @Nullable [] write);

        /// The client's transport parameters. The array is the receiver's.
        void peerParameters(byte[] parameters);

        /// The client's Finished was verified.
        void complete(TlsSession session);

        /// The handshake has failed.
        ///
        /// @param description of the alert, 0 to 255
        void alert(int description);
    }

    /// Says what the server is to tell, and who takes what comes of it; before [#receive].
    ///
    /// @param parameters our transport parameters
    void start(byte[] parameters, Events events);

    /// Takes octets of the client's handshake messages, in their order, without gaps.
    void receive(int level, byte[] octets, int from, int to);

    /// A cipher of the library that does the handshake, which whoever asked for it closes; it
    /// outlives the handshake.
    ///
    /// @param suite the number of the cipher suite in TLS
    /// @param seals whether it seals; else it opens
    /// @return null when the library has none
    default @Nullable NativeCipher cipher(int suite, byte[] key, boolean seals) {
        return null;
    }

    /// Gives back what it holds; only [#cipher] is called afterwards. Idempotent.
    void close();
}
