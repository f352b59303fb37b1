package io.margay.protocol.quic.tls;

import io.margay.protocol.quic.Level;
import org.jspecify.annotations.Nullable;

/// A TLS 1.3 handshake without records: octets of handshake messages go in and out by level, and
/// secrets come out (RFC 9001 §4). Who implements it has the certificates and the cryptography;
/// confined to the connection's owner.
///
/// Whatever becomes known during [#start] and [#receive] is told to the [Events] before they
/// return.
public interface QuicTls {
    /// Takes what the handshake brings forth.
    interface Events {
        /// Octets of handshake messages, to be sent in CRYPTO frames. The array is the receiver's.
        void send(Level level, byte[] octets);

        /// The secrets of a level, those of Initial packets excepted.
        ///
        /// @param suite the number of the cipher suite in TLS
        /// @param read for packets of the peer, or null when there is none or not yet
        /// @param write for our packets, or null when there is none or not yet
        void secrets(Level level, int suite, byte @Nullable [] read, byte @Nullable [] write);

        /// The transport parameters of the peer, authenticated as far as the handshake has come.
        /// The array is the receiver's.
        void peerParameters(byte[] parameters);

        /// The handshake is complete: the peer's Finished was verified.
        ///
        /// @param alpn the protocol that was agreed on, or null when none was
        void complete(@Nullable String alpn);

        /// The handshake has failed.
        ///
        /// @param description of the alert, 0 to 255
        void alert(int description);
    }

    /// Begins: a client makes its ClientHello.
    ///
    /// @param parameters our transport parameters
    void start(byte[] parameters, Events events);

    /// Takes octets of the peer's handshake messages, in their order, without gaps.
    void receive(Level level, byte[] octets, int from, int to);

    /// A cipher of the library that does the handshake; see [PacketCipher.Source#make].
    default @Nullable PacketCipher cipher(int suite, byte[] key, boolean seals) {
        return null;
    }

    /// Forgets keys and gives memory back; of the rest only [#cipher] is called afterwards.
    void close();
}
