<%@ page isELIgnored="false" contentType="text/html; charset=UTF-8" %>ordered ${last} for ${sum} in ${shop}
