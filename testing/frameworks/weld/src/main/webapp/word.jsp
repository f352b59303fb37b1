<%@ page contentType="text/plain" %><%@ taglib prefix="w" uri="urn:words" %><w:word/>
