package io.margay.lab.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.site.Certificate;
import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.QuicTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The handshake of the lab's QUIC with the JDK's server, whose records are made and opened here by
/// the secrets that the client tells.
final class QuicTlsClientTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final int HANDSHAKE = 22;
    private static final int DATA = 23;
    private static final int HEADER_BYTES = 5;
    private static final byte[] NOTHING = {};

    @TempDir Path folder;

    /// What the client tells.
    private static final class Told implements QuicTls.Events {
        final Map<Level, ByteArrayOutputStream> sent = new EnumMap<>(Level.class);
        final Map<Level, byte[]> read = new EnumMap<>(Level.class);
        final Map<Level, byte[]> write = new EnumMap<>(Level.class);
        @Nullable String protocol;
        int alert = -1;

        byte[] take(Level level) {
            ByteArrayOutputStream of = sent.remove(level);
            return of == null ? NOTHING : of.toByteArray();
        }

        @Override
        public void send(Level level, byte[] octets) {
            sent.computeIfAbsent(level, _ -> new ByteArrayOutputStream()).writeBytes(octets);
        }

        @Override
        public void secrets(
                Level level, int suite, byte @Nullable [] toRead, byte @Nullable [] toWrite) {
            assertEquals(0x1301, suite);
            read.put(level, toRead);
            write.put(level, toWrite);
        }

        @Override
        public void peerParameters(byte[] parameters) {
            throw new AssertionError("the JDK's server has none");
        }

        @Override
        public void complete(@Nullable String alpn) {
            protocol = alpn;
        }

        @Override
        public void alert(int description) {
            alert = description;
        }
    }

    private static SSLEngine server(Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(certificate.store())) {
            store.load(in, Certificate.PASSWORD.toCharArray());
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, Certificate.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h3"});
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static byte[] record(int type, byte[] content) {
        return ByteBuffer.allocate(HEADER_BYTES + content.length)
                .put((byte) type)
                .putShort((short) 0x0303)
                .putShort((short) content.length)
                .put(content)
                .array();
    }

    /// Seals or opens the content of a record with the first key of a secret.
    private static byte[] crypt(int mode, byte[] secret, int number, byte[] header, byte[] content)
            throws Exception {
        byte[] nonce = QuicTlsClient.expand(secret, "iv", NOTHING, 12);
        nonce[11] ^= (byte) number;
        byte[] key = QuicTlsClient.expand(secret, "key", NOTHING, 16);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
        cipher.updateAAD(header);
        return cipher.doFinal(content);
    }

    private static byte[] sealed(byte[] secret, int type, byte[] content) throws Exception {
        byte[] inner = Arrays.copyOf(content, content.length + 1);
        inner[content.length] = (byte) type;
        byte[] made = record(DATA, new byte[inner.length + 16]);
        byte[] header = Arrays.copyOf(made, HEADER_BYTES);
        byte[] tagged = crypt(Cipher.ENCRYPT_MODE, secret, 0, header, inner);
        System.arraycopy(tagged, 0, made, HEADER_BYTES, tagged.length);
        return made;
    }

    private static byte[] opened(byte[] secret, int number, byte[] record) throws Exception {
        byte[] header = Arrays.copyOf(record, HEADER_BYTES);
        byte[] content = Arrays.copyOfRange(record, HEADER_BYTES, record.length);
        byte[] inner = crypt(Cipher.DECRYPT_MODE, secret, number, header, content);
        int end = inner.length - 1;
        while (inner[end] == 0) {
            end--;
        }
        return Arrays.copyOf(inner, end);
    }

    private static void unwrap(SSLEngine engine, byte[] record) throws IOException {
        engine.unwrap(ByteBuffer.wrap(record), ByteBuffer.allocate(65_536));
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        }
    }

    /// The records that it has to send.
    private static ByteBuffer wrapped(SSLEngine engine) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(65_536);
        do {
            engine.wrap(ByteBuffer.allocate(0), out);
        } while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
        return out.flip();
    }

    private static byte[] next(ByteBuffer records) {
        byte[] record = new byte[HEADER_BYTES + records.getShort(records.position() + 3)];
        records.get(record);
        return record;
    }

    /// Goes through the server's messages, cut to pieces.
    private static Told handshake(SSLEngine server, Path trusted) throws Exception {
        Told told = new Told();
        QuicTls client = new TlsClient(trusted).quic();
        client.start(new byte[] {1, 2, 3}, told);
        unwrap(server, record(HANDSHAKE, told.take(Level.INITIAL)));
        ByteBuffer records = wrapped(server);
        byte[] hello = next(records);
        for (int i = HEADER_BYTES; i < hello.length; i++) {
            client.receive(Level.INITIAL, hello, i, i + 1);
        }
        int number = 0;
        while (records.hasRemaining() && told.alert < 0) {
            byte[] secret = told.read.get(Level.HANDSHAKE);
            byte[] messages = opened(secret, number++, next(records));
            for (int i = 0; i < messages.length; i += 7) {
                int to = Math.min(messages.length, i + 7);
                client.receive(Level.HANDSHAKE, messages, i, to);
            }
        }
        return told;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theJdksServer_agrees_andItsDataAreOpened(boolean ec) throws Exception {
        Certificate certificate = Certificate.in(folder, JAVA_HOME, ec);
        SSLEngine server = server(certificate);
        Told told = handshake(server, certificate.pem());
        assertEquals(-1, told.alert);
        assertEquals("h3", told.protocol);
        byte[] finished = told.take(Level.HANDSHAKE);
        unwrap(server, sealed(told.write.get(Level.HANDSHAKE), HANDSHAKE, finished));
        int number = 0;
        while (server.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            number++; // tickets
            engineWrap(server);
        }
        assertEquals("h3", server.getApplicationProtocol());
        ByteBuffer out = ByteBuffer.allocate(65_536);
        byte[] content = "an answer".getBytes(StandardCharsets.US_ASCII);
        server.wrap(ByteBuffer.wrap(content), out);
        byte[] got = opened(told.read.get(Level.ONE_RTT), number, next(out.flip()));
        assertEquals("an answer", new String(got, StandardCharsets.US_ASCII));
        ByteBuffer in = ByteBuffer.allocate(65_536);
        byte[] question = "a question".getBytes(StandardCharsets.US_ASCII);
        server.unwrap(ByteBuffer.wrap(sealed(told.write.get(Level.ONE_RTT), DATA, question)), in);
        assertTrue(in.flip().equals(ByteBuffer.wrap(question)), in::toString);
    }

    private static void engineWrap(SSLEngine server) throws IOException {
        server.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(65_536));
    }

    @Test
    void anotherCertificate_isRefused() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other"));
        Certificate unknown = Certificate.in(other, JAVA_HOME, true);
        Certificate certificate = Certificate.in(folder, JAVA_HOME, true);
        assertEquals(42, handshake(server(certificate), unknown.pem()).alert);
    }

    @Test
    void messagesOutOfOrder_areRefused() throws Exception {
        Certificate certificate = Certificate.in(folder, JAVA_HOME, true);
        Told told = new Told();
        QuicTls client = new TlsClient(certificate.pem()).quic();
        client.start(NOTHING, told);
        client.receive(Level.HANDSHAKE, new byte[] {20, 0, 0, 0}, 0, 4);
        assertEquals(10, told.alert);
    }
}
