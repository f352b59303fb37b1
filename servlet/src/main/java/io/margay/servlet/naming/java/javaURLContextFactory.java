package io.margay.servlet.naming.java;

import io.margay.servlet.naming.Naming;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/// What `java:` names mean on the calling thread, whatever its initial context is. JNDI dictates
/// the name of the class. Stateless.
public final class javaURLContextFactory implements ObjectFactory {
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object url,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        Naming naming = Naming.of(Thread.currentThread().getContextClassLoader());
        if (naming == null) {
            return null;
        }
        return switch (url) {
            case null -> naming.context(environment);
            case String text -> naming.lookup(text);
            default -> throw new OperationNotSupportedException("only one java: name at a time");
        };
    }
}
