package io.margay.transport.tls.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.TlsSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PemTest {
    @TempDir Path directory;

    private Path file(String text) throws Exception {
        Path file = Files.createTempFile(directory, "test", ".pem");
        return Files.writeString(file, text);
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private static PrivateKey generate(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("EC")) {
            generator.initialize(new ECGenParameterSpec("secp256r1"));
        }
        KeyPair pair = generator.generateKeyPair();
        return pair.getPrivate();
    }

    @Test
    void privateKey_pkcs8_isRead() throws Exception {
        for (String algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
            PrivateKey key = generate(algorithm);
            assertEquals(key, Pem.privateKey(file(pem("PRIVATE KEY", key.getEncoded()))));
        }
    }

    @Test
    void privateKey_pkcs1_isRead() throws Exception {
        PrivateKey key = generate("RSA");
        byte[] pkcs8 = key.getEncoded();
        // SEQUENCE, version, algorithm (15 bytes), OCTET STRING with the PKCS#1 key: 4 bytes of
        // header each for the outer sequence and the octet string at this size.
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 4 + 3 + 15 + 4, pkcs8.length);
        String text = "some words before\n" + pem("RSA PRIVATE KEY", pkcs1).replace("\n", "\r\n");
        assertEquals(key, Pem.privateKey(file(text)));
    }

    @Test
    void privateKey_sec1WithCurveInside_isRead() throws Exception {
        ECPrivateKey key = (ECPrivateKey) generate("EC");
        byte[] secret = secret(key);
        String body =
                "30310201010420" + HexFormat.of().formatHex(secret) + "a00a06082a8648ce3d030107";
        byte[] sec1 = HexFormat.of().parseHex(body);
        ECPrivateKey read = (ECPrivateKey) Pem.privateKey(file(pem("EC PRIVATE KEY", sec1)));
        assertEquals(key.getS(), read.getS());
    }

    @Test
    void privateKey_sec1WithCurveInBlockBefore_isRead() throws Exception {
        ECPrivateKey key = (ECPrivateKey) generate("EC");
        String body = "30250201010420" + HexFormat.of().formatHex(secret(key));
        byte[] sec1 = HexFormat.of().parseHex(body);
        byte[] curve = HexFormat.of().parseHex("06082a8648ce3d030107");
        String text = pem("EC PARAMETERS", curve) + pem("EC PRIVATE KEY", sec1);
        ECPrivateKey read = (ECPrivateKey) Pem.privateKey(file(text));
        assertEquals(key.getS(), read.getS());
        TlsSetupException noCurve = fails(pem("EC PRIVATE KEY", sec1));
        assertTrue(noCurve.getMessage().contains("openssl pkey"), noCurve.getMessage());
    }

    private static byte[] secret(ECPrivateKey key) {
        byte[] value = key.getS().toByteArray();
        byte[] fixed = new byte[32];
        int from = Math.max(0, value.length - 32);
        System.arraycopy(value, from, fixed, 32 - (value.length - from), value.length - from);
        return fixed;
    }

    private TlsSetupException fails(String text) throws Exception {
        Path file = file(text);
        TlsSetupException failure =
                assertThrows(TlsSetupException.class, () -> Pem.privateKey(file));
        assertTrue(failure.getMessage().startsWith(file.toString()), failure.getMessage());
        return failure;
    }

    @Test
    void privateKey_encrypted_saysHowToDecrypt() throws Exception {
        String pkcs8 = pem("ENCRYPTED PRIVATE KEY", new byte[100]);
        assertTrue(fails(pkcs8).getMessage().contains("openssl pkey -in"));
        String old =
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
                        + "DEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";
        assertTrue(fails(old).getMessage().contains("encrypted"));
    }

    @Test
    void privateKey_broken_namesTheFile() throws Exception {
        fails("");
        fails("no PEM at all");
        fails("-----BEGIN PRIVATE KEY-----\nAAAA\n");
        fails("-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n");
        fails(pem("PRIVATE KEY", new byte[50]));
        fails(pem("RSA PRIVATE KEY", new byte[] {0x30, (byte) 0x84}));
        // Lengths that lie.
        fails(pem("EC PRIVATE KEY", new byte[] {0x30, (byte) 0x84, -1, -1, -1, -1}));
        fails(pem("EC PRIVATE KEY", new byte[] {0x30, 3, (byte) 0xa0, (byte) 0x82, 1}));
    }
}
