package io.margay.servlet.jsp;

import io.margay.servlet.inject.Beans;
import io.margay.servlet.inject.ComponentLife;
import io.margay.servlet.inject.Injector;
import io.margay.servlet.naming.Naming;
import java.lang.reflect.InvocationTargetException;
import org.apache.tomcat.InstanceManager;

/// Makes tag handlers, tag files' parts and pages for Jasper, with their life cycle methods.
/// Thread-safe.
final class JspInstances implements InstanceManager {
    private final ClassLoader loader;
    private final ComponentLife life;

    JspInstances(ClassLoader loader) {
        this.loader = loader;
        life = new ComponentLife(Injector.of(Naming.of(loader)), Beans.of(loader));
    }

    @Override
    public Object newInstance(Class<?> type)
            throws IllegalAccessException,
                    InvocationTargetException,
                    InstantiationException,
                    NoSuchMethodException {
        Object made = type.getConstructor().newInstance();
        life.created(made);
        return made;
    }

    @Override
    public Object newInstance(String name)
            throws IllegalAccessException,
                    InvocationTargetException,
                    InstantiationException,
                    NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(name, loader);
    }

    @Override
    public Object newInstance(String name, ClassLoader from)
            throws IllegalAccessException,
                    InvocationTargetException,
                    InstantiationException,
                    NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(from.loadClass(name));
    }

    @Override
    public void newInstance(Object made) throws InvocationTargetException {
        life.created(made);
    }

    @Override
    public void destroyInstance(Object made) throws InvocationTargetException {
        life.destroyed(made);
    }
}
