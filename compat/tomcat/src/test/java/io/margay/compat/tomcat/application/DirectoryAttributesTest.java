package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DirectorySettings;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each attribute of a `JNDIRealm` says something of how the directory is asked.
final class DirectoryAttributesTest {
    private static final CredentialHandler CLEAR = new CredentialHandler.AsInFile();

    private static DirectorySettings read(Map<String, String> attributes) {
        return DirectoryAttributes.settings(
                new RealmAttributes(attributes, "<Realm>", "server.xml:1"), CLEAR, _ -> {});
    }

    @ParameterizedTest
    @CsvSource({
        "connectionURL, ldap://other:389",
        "alternateURL, ldap://other:389",
        "connectionName, cn=other",
        "connectionPassword, other",
        "connectionTimeout, 77",
        "readTimeout, 77",
        "useStartTls, true",
        "userPattern, 'uid={0},ou=people'",
        "userBase, ou=people",
        "userSearch, (uid={0})",
        "userSubtree, true",
        "userPassword, secret",
        "userRoleName, memberOf",
        "roleBase, ou=groups",
        "roleSearch, (member={0})",
        "roleName, cn",
        "roleSubtree, true",
        "roleNested, true",
        "commonRole, everybody",
    })
    void attribute_changesHowTheDirectoryIsAsked(String name, String value) {
        Map<String, String> attributes = new TreeMap<>();
        attributes.put("connectionURL", "ldap://directory:389");
        attributes.put("userPattern", "uid={0}");
        attributes.put("connectionName", "cn=reader");
        attributes.put("connectionPassword", "read");
        DirectorySettings without = read(attributes);
        attributes.put(name, value);
        assertNotEquals(without, read(attributes));
    }
}
