package io.margay.login.oidc;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProviderTest {
    private static final String METADATA =
            """
            {"issuer": "https://p.example", "authorization_endpoint": "https://p.example/authorize",
             "token_endpoint": "https://p.example/token", "jwks_uri": "https://p.example/keys",
             "userinfo_endpoint": "https://p.example/me",
             "end_session_endpoint": "https://p.example/end", "subject_types_supported": ["public"]}
            """;

    private static void check(String metadata, boolean secure) throws IOException, ParseException {
        Provider.checkEndpoints(OIDCProviderMetadata.parse(metadata), secure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorize", "token", "keys", "me", "end"})
    void endpoint_withoutTls_isRefusedOfAProviderWithTls(String path) throws Exception {
        String open = METADATA.replace("https://p.example/" + path, "http://p.example/" + path);
        assertThrows(IOException.class, () -> check(open, true));
        check(open, false);
    }

    @Test
    void endpoint_thatIsNeeded_mustBeThere() throws Exception {
        check(METADATA, true);
        check(METADATA.replaceFirst("\"userinfo_endpoint[^,]*,", ""), true);
        String without = METADATA.replaceFirst("\"token_endpoint[^,]*,", "");
        assertThrows(IOException.class, () -> check(without, true));
    }
}
