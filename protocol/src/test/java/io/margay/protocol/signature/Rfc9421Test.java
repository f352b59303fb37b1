package io.margay.protocol.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.signature.RequestSignature.Fault;
import io.margay.protocol.signature.RequestSignature.Found;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Signatures of requests, with the vector of RFC 9421 §B.2.6 and its key of §B.1.4.
final class Rfc9421Test {
    private static final String KEY =
            "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=";
    private static final String COVERED =
            "(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")"
                    + ";created=1618884473;keyid=\"test-key-ed25519\"";
    private static final String SIGNATURE =
            "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKR"
                    + "Cw==";

    private static boolean isBy(RequestSignature one, PublicKey key) throws Exception {
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key);
        verifier.update(one.base());
        return one.isEd25519() && verifier.verify(one.octets());
    }

    private static PublicKey key() throws Exception {
        return KeyFactory.getInstance("Ed25519")
                .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(KEY)));
    }

    private static RequestHead request(String method, String target, String... fields) {
        Fields.Builder all = new Fields.Builder();
        for (String field : fields) {
            int colon = field.indexOf(':');
            all.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? null : target.substring(mark + 1);
        return new RequestHead(
                method,
                new RequestTarget(
                        RequestTarget.Form.ORIGIN, target, path, query, null, "example.com"),
                HttpVersion.HTTP_1_1,
                all.build(),
                0,
                false,
                true);
    }

    private static RequestHead vector(String method, String date) {
        return request(
                method,
                "/foo?param=Value&Pet=dog",
                "Host: example.com",
                "Date: " + date,
                "Content-Type: application/json",
                "Content-Length: 18",
                "Signature-Input: sig-b26=" + COVERED + ";tag=\"t\"",
                "Signature: sig-b26=:" + SIGNATURE + ":");
    }

    /// The vector has no tag, so that its base is asked for as it is.
    @Test
    void vectorOfTheRfc_isSigned() throws Exception {
        RequestHead head = vector("POST", "Tue, 20 Apr 2021 02:07:55 GMT");
        String base =
                RequestSignature.base(
                        SignatureFields.inputs("sig-b26=" + COVERED).get("sig-b26"), head, "https");
        assertEquals(
                "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n"
                        + "\"@method\": POST\n"
                        + "\"@path\": /foo\n"
                        + "\"@authority\": example.com\n"
                        + "\"content-type\": application/json\n"
                        + "\"content-length\": 18\n"
                        + "\"@signature-params\": "
                        + COVERED,
                base);
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key());
        verifier.update(base.getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(verifier.verify(Base64.getDecoder().decode(SIGNATURE)));
    }

    @Test
    void parameterThatWasAdded_breaksIt() throws Exception {
        Found found =
                RequestSignature.of(vector("POST", "Tue, 20 Apr 2021 02:07:55 GMT"), "https", "t");
        assertFalse(isBy(assertInstanceOf(Found.One.class, found).signature(), key()));
    }

    @Test
    void ownSignature_isOfItsKeyAndItsRequest() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        String input =
                "(\"@authority\" \"signature-agent\");created=1;expires=2;keyid=\"k\";nonce=\"n\""
                        + ";tag=\"web-bot-auth\"";
        String base =
                "\"@authority\": example.com\n\"signature-agent\": \"https://bot.example\"\n"
                        + "\"@signature-params\": "
                        + input;
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(pair.getPrivate());
        signer.update(base.getBytes(StandardCharsets.ISO_8859_1));
        String signature = Base64.getEncoder().encodeToString(signer.sign());
        String[] fields = {
            "Signature-Agent: \"https://bot.example\"",
            "Signature-Input: a=" + input,
            "Signature: a=:" + signature + ":"
        };
        RequestHead head = request("GET", "/x", fields);
        Found found = RequestSignature.of(head, "https", RequestSignature.WEB_BOT_AUTH);
        RequestSignature one = assertInstanceOf(Found.One.class, found).signature();
        assertTrue(isBy(one, pair.getPublic()));
        assertFalse(isBy(one, key()));
        assertEquals("k", one.keyId());
        assertEquals("n", one.nonce());
        assertEquals(1, one.created());
        assertEquals(2, one.expires());
        assertTrue(one.covers("@authority") && one.covers("signature-agent"));
        assertEquals(List.of("https://bot.example"), RequestSignature.agents(head.fields()));
        fields[0] = "Signature-Agent: \"https://other.example\"";
        Found other =
                RequestSignature.of(
                        request("GET", "/x", fields), "https", RequestSignature.WEB_BOT_AUTH);
        assertFalse(isBy(assertInstanceOf(Found.One.class, other).signature(), pair.getPublic()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=",
                "a=()",
                "a=(\"@authority\";tag=\"t\"",
                "a=(\"@authority\");tag=\"t\";tag=\"t\"",
                "a=(\"@authority\");tag=\"t\", a=(\"@path\");tag=\"t\"",
                "a=(\"@authority\");tag=\"t\", b=(\"@path\");tag=\"t\"",
                "a=(\"@authority\"\"@path\");tag=\"t\"",
                "a=(\"@authority\" \"@authority\");tag=\"t\"",
                "a=(\"X-Upper\");tag=\"t\"",
                "a=(\"absent\");tag=\"t\"",
                "a=(\"@status\");tag=\"t\"",
                "a=(\"@authority\";req);tag=\"t\"",
                "a=(\"@authority\");created=+5;tag=\"t\"",
                "a=(\"@authority\");created=9999999999999999;tag=\"t\"",
                "b=(\"@authority\");tag=\"t\"",
                "a=(\"@authority\");tag=\"t\"x",
            })
    void whatIsMalformed_isNoSignature(String input) {
        RequestHead head =
                request(
                        "GET",
                        "/",
                        "X-Upper: a",
                        "Signature-Input: " + input,
                        "Signature: a=:AAAA:");
        assertInstanceOf(Found.None.class, RequestSignature.of(head, "https", "t"), input);
    }

    @Test
    void withoutFieldsOrTag_thereIsNone() {
        Found none = RequestSignature.of(request("GET", "/"), "https", "t");
        assertEquals(new Found.None(Fault.ABSENT), none);
        Found other =
                RequestSignature.of(
                        request(
                                "GET",
                                "/",
                                "Signature-Input: a=(\"@path\");tag=\"o\"",
                                "Signature: a=:AAAA:"),
                        "https",
                        "t");
        assertEquals(new Found.None(Fault.ABSENT), other);
    }
}
