package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is secret in the files of other servers is not in what `check` says of them.
final class SecretFilesTest {
    private static final String SECRET = "hunter2";

    @TempDir Path folder;

    private int check(Path file) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        int code = new Main(out, out, Map.of()).run(List.of("check", file.toString()));
        String text = said.toString(StandardCharsets.UTF_8);
        assertFalse(text.contains(SECRET), text);
        assertFalse(text.contains("internal error"), text);
        return code;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProxyPass /a ajp://u:hunter2@127.0.0.1:99999/ secret=hunter2",
                "ProxyPass /b ajp://127.0.0.1:8009/ secret=hunter2\u20ac",
                "ProxyPass /c ajp://127.0.0.1:8009/ secret=hunter2 foo=bar",
                "BalancerMember ajp://127.0.0.1:x/ secret=hunter2",
                "AuthLDAPBindPassword hunter2 more",
                "AuthLDAPURL ldap://u:hunter2@host:port/ou=x?uid",
                "OIDCClientSecret hunter2 more",
                "OIDCCryptoPassphrase hunter2 more",
                "OIDCRedisCachePassword hunter2",
                "SSLProxyMachineCertificateFile https://u:hunter2@host/",
                "MDExternalAccountBinding kid hunter2",
                "DBDParams \"host=h user=u password=hunter2\""
            })
    void directive_ofHttpd_isNamedWithoutWhatIsSecret(String line) throws Exception {
        int _ = check(Files.writeString(folder.resolve("httpd.conf"), "Listen 8080\n" + line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Connector port='8009' protocol='AJP/1.3' secret='hunter2\u20ac'"
                        + " packetSize='999999'/>",
                "<Connector port='8443' SSLEnabled='true'><SSLHostConfig><Certificate"
                        + " certificateKeystoreFile='none.p12'"
                        + " certificateKeystorePassword='hunter2'/></SSLHostConfig></Connector>",
                "<Engine name='Catalina' defaultHost='none'><Realm"
                        + " className='org.apache.catalina.realm.JNDIRealm'"
                        + " connectionURL='ldap://u:hunter2@h:x' connectionPassword='hunter2'"
                        + " userPattern='x' digest='md4'/></Engine>"
            })
    void element_ofTomcat_isNamedWithoutWhatIsSecret(String element) throws Exception {
        String xml =
                "<Server port='-1'><Service name='Catalina'>" + element + "</Service></Server>";
        assertEquals(ExitCode.FAILED, check(Files.writeString(folder.resolve("server.xml"), xml)));
    }
}
