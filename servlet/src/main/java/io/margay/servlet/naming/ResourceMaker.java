package io.margay.servlet.naming;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.CompositeName;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/// Makes resources. Stateless.
final class ResourceMaker {
    private ResourceMaker() {}

    /// What was made, and what ends it.
    record Made(Object object, AutoCloseable end) {}

    /// @param loaders where classes are looked for, in this order
    static Made make(
            String name, ResourceSpec spec, List<ClassLoader> loaders, @Nullable Naming naming)
            throws Exception {
        return switch (spec) {
            case ResourceSpec.Pool(DataSourceSettings settings) -> {
                PooledDataSource pool = PooledDataSource.open(name, settings, loaders);
                yield new Made(pool, pool::end);
            }
            case ResourceSpec.Mail mail -> new Made(MailSession.make(mail, loaders), () -> {});
            case ResourceSpec.Bean bean -> {
                Object object = instance(bean.className(), loaders);
                for (Map.Entry<String, String> property : bean.properties().entrySet()) {
                    BeanProperty.set(object, property.getKey(), property.getValue());
                }
                yield new Made(object, end(object, bean.closeMethod()));
            }
            case ResourceSpec.Factory factory -> {
                Object object = ofFactory(name, factory, loaders, naming);
                yield new Made(object, end(object, factory.closeMethod()));
            }
        };
    }

    @SuppressWarnings("JdkObsolete") // JNDI takes a Hashtable.
    private static Object ofFactory(
            String name,
            ResourceSpec.Factory spec,
            List<ClassLoader> loaders,
            @Nullable Naming naming)
            throws Exception {
        Reference reference = new Reference(spec.className(), spec.factoryClass(), null);
        spec.attributes().forEach((key, value) -> reference.add(new StringRefAddr(key, value)));
        if (!(instance(spec.factoryClass(), loaders) instanceof ObjectFactory factory)) {
            throw new NamingException(
                    spec.factoryClass() + " is not a javax.naming.spi.ObjectFactory");
        }
        Object made =
                factory.getObjectInstance(
                        reference,
                        new CompositeName(name),
                        naming == null ? null : naming.context(null),
                        new Hashtable<>());
        if (made == null) {
            throw new NamingException(spec.factoryClass() + " made nothing");
        }
        return made;
    }

    private static AutoCloseable end(Object object, @Nullable String closeMethod)
            throws NoSuchMethodException {
        if (closeMethod == null) {
            return () -> {};
        }
        Method close = object.getClass().getMethod(closeMethod);
        return () -> close.invoke(object);
    }

    /// A new object of a class that a program or an administrator has named.
    static Object instance(String className, List<ClassLoader> loaders)
            throws ReflectiveOperationException {
        try {
            return load(className, loaders).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(
                    className + " cannot be created: " + e.getCause(), e.getCause());
        }
    }

    static Class<?> load(String className, List<ClassLoader> loaders)
            throws ClassNotFoundException {
        for (ClassLoader loader : loaders) {
            try {
                return Class.forName(className, true, loader);
            } catch (ClassNotFoundException _) {
                // The next may have it.
            }
        }
        throw new ClassNotFoundException(
                "class "
                        + className
                        + " is not there; put its JAR into WEB-INF/lib, or into the folder of"
                        + " shared libraries (deploy: libraries)");
    }
}
